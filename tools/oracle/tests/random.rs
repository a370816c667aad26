//! Random programs have one right answer: PoCL finds the same one with and without optimisation, in work-groups of
//! any size. `examples/agree.rs` does the same over as many seeds as there is time for.

use sluice_generator::{Profile, generate};
use sluice_oracle::{Job, Oracle};

#[test]
fn random_programs_do_not_depend_on_the_optimiser() {
    let oracle = Oracle::pocl().expect("PoCL is installed");
    for seed in 0..6 {
        let program = generate(seed, &Profile::small());
        let job = Job::from(&program);
        let options = format!("{} -cl-opt-disable", job.options);
        let plain = Job {
            options,
            ..job.clone()
        };
        let [optimised, plain] = [job, plain].map(|job| oracle.run(&job).expect("it runs").buffers);
        assert!(optimised == plain, "seed {seed}:\n{}", program.source);
    }
}

#[test]
fn random_programs_without_groups_do_not_depend_on_their_size() {
    let oracle = Oracle::pocl().expect("PoCL is installed");
    let programs = (0..).map(|seed| generate(seed, &Profile::small()));
    let free =
        programs.filter(|program| !program.depends_on_group_size() && program.local != [1; 3]);
    for program in free.take(3) {
        let job = Job::from(&program);
        let single = Job {
            local: Some(vec![1; job.global.len()]),
            ..job.clone()
        };
        let [grouped, single] = [job, single].map(|job| oracle.run(&job).expect("it runs").buffers);
        assert!(grouped == single, "{}", program.source);
    }
}
