#include <sys/epoll.h>

static const unsigned int liveboard_epoll_in = EPOLLIN;
