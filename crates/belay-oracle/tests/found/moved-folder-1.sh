#shell bash
#does delete /home/dev/p/w/d/b  (by call 1)
x=b E=y; cd d && mv ../d ../w && rid 1 "$x"
