#shell bash
#does delete /t1  (by call 1)
rid 1 $(basename ?)/t1
