export const CHANGE_REQUEST_QUEUE = 'workflow.change'
