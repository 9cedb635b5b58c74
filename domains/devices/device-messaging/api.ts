import './refusals.ts'

export {
  requestCommand,
  jsonByteLength,
  executeDeviceCommand,
  findGatewayOfShop,
  requireDeviceLink,
  COMMAND_PARAMS_BYTES_MAX,
  deviceCommandRefusal,
  findTenantOfDevice,
  waitForCommand,
  type CommandOrigin,
} from './request-command.ts'
export { brokerHookSecretSlot } from './broker-hook.ts'
export {
  ALREADY_APPLIED_MESSAGE,
  DEVICE_REPLY_CODE,
  findCommandDefinition,
  defineCommand,
  type DeviceCommand,
  type CommandDefinition,
  type DeviceHello,
  type DeviceLink,
} from './command.ts'
export { commandReasonText } from './device-command.server.ts'
export { authenticateDevice, issueDeviceKey } from './device-key.ts'
export { commandToWire, clientIdInputFields, syncDeviceClock } from './gateway-commands.ts'
export {
  registerDesiredStateProvider,
  InvalidDeviceMessageError,
  onDeviceEvent,
  onDeviceRequest,
  onDeviceState,
  onDeviceLinkState,
  type DeviceReply,
  type DeviceMessageContext,
} from './device-handlers.ts'
export { isValidTimestampMs, deviceTimeToServerTime } from './device-clock.ts'
export { parseIntegerInRange } from './identity.ts'
export { handleStateReport } from './handle-device-message.ts'
export { deviceTransportSlot, type DeviceTransport } from './device-transport.ts'
export { cancelCommands } from './command-transition.ts'
export { deviceTopicGrant } from './topics.ts'
export { completeCommandOnServer } from './command-transition.ts'
export { revokeDeviceAccess, grantDeviceAccess, onDeviceLinkRevoked } from './device-link.server.ts'
export { handleDeviceMessage, sendDesiredState } from './handle-device-message.ts'
export { createDevicePresence, type DevicePresence } from './presence.ts'
