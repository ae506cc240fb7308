#!/bin/sh
# Workers of a queue on a Ray cluster, a job each; not tried: ray.sh ADDRESS WORKSPACE COUNT
# Hopscope is in the image of the nodes, the workspace where all of them have it.
n=0
while [ "$n" -lt "${3:?how many}" ]
do
	ray job submit --no-wait --submission-id "hopscope-worker-$n" --entrypoint-num-cpus 1 -- \
		hopscope worker --queue "${1:?the address of the queue}" --workspace "${2:?the workspace}" --concurrency 8
	n=$((n + 1))
done
# hands their tasks back: ray job stop hopscope-worker-0
