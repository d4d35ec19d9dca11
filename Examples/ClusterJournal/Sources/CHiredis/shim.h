#include <hiredis/hiredis.h>
#include <hiredis/async.h>
// epoll and eventfd, which the system's Swift module lacks; `SocketWatch` needs them.
#include <sys/epoll.h>
#include <sys/eventfd.h>
