import type { Plugin } from 'vite'

const ID = '\0form-parts'
/** Where antd's components that may stand in a form ask for two parts of the library of forms. */
const ASKS = /\/antd\/es\/form\/(context|hooks\/useForm)\.js$/
const PARTS = [
  "export { FormProvider } from '@rc-component/form/es/FormContext.js'",
  "export { default as useForm } from '@rc-component/form/es/hooks/useForm.js'",
].join('\n')

/** Pages without a form would load all of the library of forms: its door sets up everything behind it. */
export function antdFormTrimmingPlugin(): Plugin {
  return {
    name: 'form-parts',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id, importer = '') =>
      id === '@rc-component/form' && ASKS.test(importer.replaceAll('\\', '/')) ? ID : undefined,
    load: (id) => (id === ID ? { code: PARTS, moduleSideEffects: false } : undefined),
  }
}
