#shell bash
#does delete /home/dev/p/d/t  (by call 1)
cd d || exit; cd ""; rid 1 "$OLDPWD"/t
