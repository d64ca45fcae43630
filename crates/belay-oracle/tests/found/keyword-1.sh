#shell bash
#does delete /home/dev/p/t  (by call 2)
set -k
declare x=b
rid 2 t"$x"
