#shell bash
#does delete /t1  (by call 1)
y=<()
rid 1 $y/t1
