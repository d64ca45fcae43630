#shell bash
#does delete /home/dev/p/t3  (by call 1)
A=(a d); : "${A[4]:=d}"; rid 1 "t${#A[@]}"
