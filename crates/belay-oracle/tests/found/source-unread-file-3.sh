#shell bash
#does delete /home/dev/p/d/A  (by call 2)
f() { echo A;}
x=$(f)
. ./l
rid 2 "${x}"
