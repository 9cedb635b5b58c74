import { createSystemDictionariesPage } from './dict.page.tsx'

export default createSystemDictionariesPage('horizontal')
