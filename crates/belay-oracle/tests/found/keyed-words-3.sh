#shell bash
#does delete /home/dev/p/{b,d}  (by call 1)
declare -A M; M=(a {b,d}); rid 1 "${M[a]}"
