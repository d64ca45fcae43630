#shell bash
#does delete /home/dev/p/a ../q  (by call 1)
set a ../q
rid 1 "$*"
