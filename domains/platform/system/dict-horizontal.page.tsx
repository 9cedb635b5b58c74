import { systemDictionaries } from './dict.page.tsx'

export default systemDictionaries('horizontal')
