#shell bash
#does delete /home/dev/p/M[a]=/home/dev/s  (by call 1)
rid 1 M[a]=~/s
