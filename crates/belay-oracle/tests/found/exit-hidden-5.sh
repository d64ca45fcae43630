#shell bash
#does delete /home/dev/p/a  (by call 1)
y=a
trap 'rid 1 "$y"' EXIT; f() { local y=d; exit 1 2; }
f
y=c
