import './refusals.ts'

export { requirePublicEndpoint } from './endpoint.ts'
export { createTemporaryFileUrl } from './temporary-file-url.ts'
export { requireMatchingSecretKeys, isOnlySecretKeyInUse, rotateSecrets } from './rotate-secrets.ts'
export {
  addSecretKeyFile,
  createSecretCipher,
  isEncryptedSecret,
  loadSecretsEncryptionKeys,
  secretCipherOf,
  type SecretCipher,
} from './secrets.ts'
export { readEncryptedUrlPart, createEncryptedUrlPart } from './sealed-address.ts'
export { openStoredFile, replyWithStoredFile } from './file.server.ts'
export {
  readStoredFile,
  findFileByKey,
  findTenantFileByLink,
  deleteStoredFiles,
  storeFile,
  fileKeyOfLink,
  fileLinkOf,
  type StoredFile,
} from './stored-file.ts'
export {
  enableOnlyProviderRow,
  PROVIDER_ENABLED_STATUS,
  maskProviderSecrets,
  prepareProviderDraft,
} from './provider-row.ts'
