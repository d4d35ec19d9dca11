#include <hiredis/hiredis.h>
#include <hiredis/async.h>
// What the system's own module leaves out, for watching a socket.
#include <sys/epoll.h>
#include <sys/eventfd.h>
