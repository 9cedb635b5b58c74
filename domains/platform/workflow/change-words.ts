export const changeQueue = 'workflow.change'
