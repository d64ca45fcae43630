#shell bash
#does delete /home/dev/p/x=a:/home/dev/s  (by call 2)
rid 2 x=a:~/s
