#shell bash
#does delete /home/dev/p/x=~+  (by call 3)
set -o posix; rid 3 x=~+
