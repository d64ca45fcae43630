#shell bash
#does delete /home/dev/p/b/t1  (by call 1)
x=a
eval() { M[a]=b; }
set -o posix; eval 'x=b'; rid 1 "$x"/t1
