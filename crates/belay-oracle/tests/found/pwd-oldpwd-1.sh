#shell bash
#does write /home/dev/p/.t1
cd d
> "$OLDPWD".t1
