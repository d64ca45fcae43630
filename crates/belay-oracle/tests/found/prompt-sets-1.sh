#shell bash
#does delete /home/dev/p/b  (by call 1)
z=$()
PS4='${z:=b}'; set -x; :; rid 1 "$z"
