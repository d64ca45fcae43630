#shell bash
#does delete /home/dev/p/0/t2  (by call 2)
rid 2 $(< b)/t2
