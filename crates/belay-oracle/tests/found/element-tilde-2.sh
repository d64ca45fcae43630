#shell bash
#does delete /home/dev/p/M[-1]+=b:/home/dev/s  (by call 1)
rid 1 M[-1]+=b:~/s
