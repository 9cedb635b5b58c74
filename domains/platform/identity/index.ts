export { sexDictionary, userStatusDictionary, userTypeDictionary } from './dictionaries.ts'
export { user } from './user.resource.ts'
