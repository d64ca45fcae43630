#shell bash
#does delete /home/dev/p/d/e  (by call 1)
y=d/e; trap 'rid 1 "$y"' EXIT; f() { local y=d; exit 1 2; }
f
