// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ClaimRegistry} from "./ClaimRegistry.sol";
import {IssuerRegistry} from "./IssuerRegistry.sol";
import {VaultRegistry} from "./VaultRegistry.sol";

/// @notice The registries that the router reads, and the errors of all its calls.
abstract contract RouterRegistries {
    IssuerRegistry public immutable issuers;
    ClaimRegistry public immutable claims;
    VaultRegistry public immutable vaults;

    /// @notice No claim with this id is registered.
    error UnknownClaim(bytes32 claimId);
    /// @notice The call or route names another token than that of its claims.
    error UnexpectedToken(address token, address expected);

    constructor(IssuerRegistry issuers_, ClaimRegistry claims_, VaultRegistry vaults_) {
        issuers = issuers_;
        claims = claims_;
        vaults = vaults_;
    }
}
