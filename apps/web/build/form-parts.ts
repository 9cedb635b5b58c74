import type { Plugin } from 'vite'

const ID = '\0form-parts'
/** Matches the modules of antd through which every page would load the whole form library. */
const ASKS = /\/antd\/es\/form\/(context|hooks\/useForm)\.js$/
const PARTS = [
  "export { FormProvider } from '@rc-component/form/es/FormContext.js'",
  "export { default as useForm } from '@rc-component/form/es/hooks/useForm.js'",
].join('\n')

/**
 * Gives these modules the two parts of the form library they need, so that pages without a form do not load all of it.
 */
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
