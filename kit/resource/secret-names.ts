const secretFields = /password|passwd|pwd|secret|token|apikey|privatekey|apiv3key|accesskey|credential/

/** Whether a field's own name says that its value is nobody's to read again. */
export const isSecretName = (name: string): boolean => secretFields.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
