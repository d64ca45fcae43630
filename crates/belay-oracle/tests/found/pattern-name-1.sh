#shell bash
#does delete /home/dev/p/OLDPWD  (by call 1)
printf -v A[1] "$_"
rid 1 "${A[1]}"
