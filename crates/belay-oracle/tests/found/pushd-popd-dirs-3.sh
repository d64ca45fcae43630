#shell bash
#does delete /home/dev  (by call 1)
cd || exit
pushd +0
rid 1 "$OLDPWD"
