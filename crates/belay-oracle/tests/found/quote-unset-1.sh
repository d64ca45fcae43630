#shell bash
#does delete /home/dev/p/.t2  (by call 2)
unset y
rid 2 "${y@Q}".t2
