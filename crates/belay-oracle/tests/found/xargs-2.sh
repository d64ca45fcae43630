#shell bash
#does delete /home/dev/q  (by call 1)
printf '%s,%s' ../q | xargs -d , rid 1
