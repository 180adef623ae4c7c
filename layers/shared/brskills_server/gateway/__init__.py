"""An HTTP server that runs the functions of ``template.yaml`` as API Gateway would."""
