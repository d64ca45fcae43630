#shell bash
#does delete /home/dev/t3  (by call 3)
A+=("$(dirname "$x")")
rid 3 "${A[0]}"/t3
