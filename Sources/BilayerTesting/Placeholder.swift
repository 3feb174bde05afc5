/// The toolbox for an app's own tests.
