#shell bash
#does write /home/dev/p/o1
for x do
cd &&(
:
) done
> o1;
