#shell bash
#does write /home/dev/p/a a.t1
A=(a a)
set -o posix; tell a > ${A[*]}.t1
