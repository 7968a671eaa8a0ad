// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";

/// @notice Who may issue claims. Deactivating an issuer stops new registrations and new financing of its claims.
contract IssuerRegistry is AccessControl {
    mapping(address issuer => bool) public isActive;

    event IssuerStatusChanged(address indexed issuer, bool active);

    error IssuerStatusUnchanged(address issuer, bool active);
    error InvalidIssuer();

    constructor(address admin) {
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    function setActive(address issuer, bool active) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (issuer == address(0)) revert InvalidIssuer();
        if (isActive[issuer] == active) revert IssuerStatusUnchanged(issuer, active);

        isActive[issuer] = active;
        emit IssuerStatusChanged(issuer, active);
    }
}
