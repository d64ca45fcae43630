#shell bash
#does delete /home/dev/p/2  (by call 1)
n=1; f() { local -A M=([a]="$((n+=1))"); rid 1 "${M[a]}"; }
f
