// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Administration} from "./Types.sol";

/// @notice Who may issue claims. Deactivating an issuer stops new registrations and new financing of its claims.
/// @dev Vaults finance the claims of every active issuer, and their limit of an issuer counts one address, so managers
/// activate one address of each debtor.
contract IssuerRegistry is AccessControlDefaultAdminRules {
    /// @notice The role that activates and deactivates issuers.
    bytes32 public constant ISSUER_MANAGER_ROLE = keccak256("ISSUER_MANAGER_ROLE");

    /// @notice Whether claims of the issuer can be registered and financed.
    mapping(address issuer => bool) public isActive;

    event IssuerStatusChanged(address indexed issuer, bool active);

    /// @notice The issuer has this status already.
    error IssuerStatusUnchanged(address issuer, bool active);
    /// @notice The zero address is no issuer.
    error InvalidIssuer();

    constructor(Administration memory by) AccessControlDefaultAdminRules(by.adminDelay, by.admin) {
        _grantRole(ISSUER_MANAGER_ROLE, by.manager);
    }

    /// @notice Activates or deactivates an issuer.
    function setActive(address issuer, bool active) external onlyRole(ISSUER_MANAGER_ROLE) {
        if (issuer == address(0)) revert InvalidIssuer();
        if (isActive[issuer] == active) revert IssuerStatusUnchanged(issuer, active);

        isActive[issuer] = active;
        emit IssuerStatusChanged(issuer, active);
    }
}
