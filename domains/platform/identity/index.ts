export { sex, userStatus, userType } from './dictionaries.ts'
export { user } from './user.resource.ts'
