#shell bash
#does delete /home/dev/p/~/s  (by call 1)
declare -A M=(a ~/s b a); rid 1 "${M[a]}"
