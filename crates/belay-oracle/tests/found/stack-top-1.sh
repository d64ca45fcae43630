#shell bash
#does delete /home/dev/p/a  (by call 1)
PWD=a
rid 1 ~0
