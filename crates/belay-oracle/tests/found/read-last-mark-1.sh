#shell bash
#does delete /t2  (by call 2)
IFS=a
read y <<< $'a\nb'
rid 2 "$y"/t2
