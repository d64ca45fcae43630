#shell bash
#does delete /home/dev/p/d/a*  (by call 2)
. ./v
rid 2 a*
