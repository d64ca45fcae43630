#shell bash
#does delete /home/dev/p/b  (by call 1)
printf '%s,%s' b | xargs -d , rid 1
