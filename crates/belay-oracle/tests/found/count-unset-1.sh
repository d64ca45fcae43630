#shell bash
#does delete /t1  (by call 1)
set -u; A="${#A[@]}"
rid 1 ${A[*]}/t1
